/** Of a screen that is loaded late, the build gives the stylesheet's text (`scripts/build-game.ts`). */
declare module '*.css' {
  export const css: string
}
