/** The build minifies a style sheet and exports its text (`scripts/build-widget.ts`). */
declare module '*.css' {
  export const css: string
}
