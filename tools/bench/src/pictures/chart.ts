/** What a bench shows as a picture. The same figures stand in the picture as text. */
export type Chart = StackedBars | LineChart

interface Drawn {
  /** Name of its file in docs/pictures, without `.svg`. */
  readonly file: string
  readonly title: string
  readonly unit: string
}

/** Bars side by side in groups, each the sum of the same parts. */
export interface StackedBars extends Drawn {
  readonly kind: 'stacked bars'
  /** At most four. */
  readonly parts: readonly string[]
  readonly groups: readonly {
    readonly name: string
    /** Values in the order of the parts; undefined where a bar has no such part. */
    readonly bars: readonly { readonly name: string; readonly values: readonly (number | undefined)[] }[]
  }[]
}

/** Lines over the same places of a logarithmic axis. */
export interface LineChart extends Drawn {
  readonly kind: 'lines'
  readonly axis: string
  /** Ascending, above 0. */
  readonly places: readonly number[]
  /** At most three; a value for each place. */
  readonly lines: readonly { readonly name: string; readonly values: readonly number[] }[]
}
