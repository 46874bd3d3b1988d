/** Types for the part of the package that the build uses, because the package has no types. */
declare module 'subset-font' {
  export interface SubsetOptions {
    readonly targetFormat: 'woff2'
    readonly variationAxes?: Readonly<Record<string, { readonly min: number; readonly max: number }>>
    readonly keepFeatures?: readonly string[]
    readonly noHinting?: boolean
  }
  /** Returns the font reduced to the given characters. */
  export default function subsetFont(font: Uint8Array, characters: string, options: SubsetOptions): Promise<Uint8Array>
}
