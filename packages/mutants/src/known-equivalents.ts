/** A survivor that changes nothing that a caller could see, and why. */
interface KnownEquivalent {
  readonly target: string
  readonly file: string
  /** The beginning of what stands in the code instead, as results have it. */
  readonly replacement: string
  readonly why: string
}

/** Looked at one by one. They count as survivors all the same. */
export const knownEquivalents: readonly KnownEquivalent[] = []
