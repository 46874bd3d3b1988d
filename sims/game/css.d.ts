/** The build turns the stylesheet of a screen that loads late into a text (`scripts/build-game.ts`). */
declare module '*.css' {
  export const css: string
}
