/** The part of the package that is used here; it brings no types. */
declare module 'subset-font' {
  export interface SubsetOptions {
    readonly targetFormat: 'woff2'
    readonly variationAxes?: Readonly<Record<string, { readonly min: number; readonly max: number }>>
    /** OpenType features, by their tags. */
    readonly keepFeatures?: readonly string[]
    readonly noHinting?: boolean
  }
  /** The same font with these characters alone. */
  export default function subsetFont(font: Uint8Array, characters: string, options: SubsetOptions): Promise<Uint8Array>
}
