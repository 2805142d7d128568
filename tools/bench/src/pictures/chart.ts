/** A bench's picture. It also contains the figures as text. */
export type Chart = StackedBars | LineChart

interface Drawn {
  /** File name in docs/pictures, without `.svg`. */
  readonly file: string
  readonly title: string
  readonly unit: string
}

/** Grouped bars, each the sum of the same parts. */
export interface StackedBars extends Drawn {
  readonly kind: 'stacked bars'
  /** At most four. */
  readonly parts: readonly string[]
  readonly groups: readonly {
    readonly name: string
    /** Values in the order of the parts. Undefined if a bar does not have the part. */
    readonly bars: readonly { readonly name: string; readonly values: readonly (number | undefined)[] }[]
  }[]
}

/** Lines over a shared logarithmic axis. */
export interface LineChart extends Drawn {
  readonly kind: 'lines'
  readonly axis: string
  /** Ascending, above 0. */
  readonly places: readonly number[]
  /** At most three; a value for each place. */
  readonly lines: readonly { readonly name: string; readonly values: readonly number[] }[]
}
