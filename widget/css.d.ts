/** The build reads a stylesheet, shrinks it and gives its text (`scripts/build-widget.ts`). */
declare module '*.css' {
  export const css: string
}
