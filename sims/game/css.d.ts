/** The build turns the style sheet of a screen that loads late into a text (`scripts/build-game.ts`). */
declare module '*.css' {
  export const css: string
}
