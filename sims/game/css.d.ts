/** The build turns the style sheet of a lazily loaded screen into a text (`scripts/build-game.ts`). */
declare module '*.css' {
  export const css: string
}
