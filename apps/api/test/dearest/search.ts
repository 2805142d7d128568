import fc from 'fast-check'
import type { FuzzedOperation } from '../fuzz/document.ts'
import { inputsOf } from '../fuzz/inputs.ts'
import type { KnownValues } from '../fuzz/placeholders.ts'
import type { WireRequest } from '../fuzz/send.ts'
import {
  type Candidate,
  type Change,
  changeablePlaces,
  headerChangeNames,
  kindNames,
  maxBody,
  queryChangeNames,
  textChangeNames,
  toWire,
} from './changes.ts'
import type { Measured } from './meter.ts'

/** A candidate with its cost. */
export interface Scored extends Measured {
  readonly candidate: Candidate
  /** Bytes of the body and of the query. */
  readonly bytes: number
}

export interface SearchOptions {
  readonly seed: number
  /** Candidates that are drawn before the climb. */
  readonly drawn: number
  /** Steps of the climb of each kind of answer. */
  readonly steps: number
  readonly known: KnownValues
  readonly measure: (wire: WireRequest) => Promise<Measured>
}

const sizes = [64, 1_024, 4_096, 8_000, 16_000, 31_000, 60_000, 120_000, 250_000]

const bytes = fc.oneof(
  fc.constantFrom(...sizes),
  fc.constantFrom(8_000, 250_000),
  fc.integer({ min: 64, max: 250_000 }),
)

function changeOf(operation: FuzzedOperation, { input }: Candidate): fc.Arbitrary<Change> {
  const of = (where: 'text' | 'headers' | 'query', names: readonly string[]) =>
    fc.record({ in: fc.constant(where), kind: fc.constantFrom(...names), bytes })
  return fc.oneof(
    {
      weight: 12,
      arbitrary: fc.record({
        in: fc.constant('value' as const),
        place: fc.constantFrom(...changeablePlaces(input)),
        kind: fc.constantFrom(...kindNames),
        bytes,
      }),
    },
    ...(operation.method === 'POST' ? [{ weight: 3, arbitrary: of('text', textChangeNames) }] : []),
    { weight: 1, arbitrary: of('headers', headerChangeNames) },
    { weight: operation.method === 'POST' ? 1 : 4, arbitrary: of('query', queryChangeNames) },
  )
}

/** A first candidate: a valid or a nearly valid input, with one change at most. */
function firstOf(operation: FuzzedOperation): fc.Arbitrary<Candidate> {
  const { valid, nearlyValid } = inputsOf(operation)
  const input = fc.oneof({ weight: 4, arbitrary: valid }, { weight: 1, arbitrary: nearlyValid })
  return input.chain((one) =>
    fc
      .array(changeOf(operation, { input: one, changes: [] }), { maxLength: 2 })
      .map((changes) => ({ input: one, changes })),
  )
}

/** A neighbour of a candidate: one change more, less, larger or in another place. */
function neighbourOf(operation: FuzzedOperation, candidate: Candidate): fc.Arbitrary<Candidate> {
  const { changes } = candidate
  const more = changeOf(operation, candidate).map((change) => ({
    ...candidate,
    changes: [...changes, change].slice(-4),
  }))
  if (changes.length === 0) return more
  const index = fc.nat({ max: changes.length - 1 })
  return fc.oneof(
    more,
    fc
      .tuple(index, changeOf(operation, candidate))
      .map(([at, change]) => ({ ...candidate, changes: changes.with(at, change) })),
    fc.tuple(index, bytes).map(([at, size]) => ({
      ...candidate,
      changes: changes.map((change, place) => (place === at ? { ...change, bytes: size } : change)),
    })),
    index.map((at) => ({ ...candidate, changes: changes.toSpliced(at, 1) })),
    inputsOf(operation).valid.map((input) => ({ ...candidate, input })),
  )
}

const isRejected = ({ status }: Measured) => status >= 400 && status < 500
const isAnswered = ({ status }: Measured) => status === 200

/**
 * Looks for the dearest requests of an operation: it draws some, and then goes from the dearest one to a dearer
 * neighbour, once among the requests that are rejected and once among those that are answered.
 */
export async function searchDearest(
  operation: FuzzedOperation,
  { seed, drawn, steps, known, measure }: SearchOptions,
): Promise<{ readonly refused: Scored | undefined; readonly answered: Scored | undefined }> {
  let draws = 0
  const draw = <T>(arbitrary: fc.Arbitrary<T>): T => {
    const [value] = fc.sample(arbitrary, { numRuns: 1, seed: seed + draws++ })
    return value as T // one run gives one value
  }
  const score = async (candidate: Candidate): Promise<Scored | undefined> => {
    const wire = toWire(operation, candidate, known)
    const size = wire.path.length + (wire.body?.length ?? 0)
    if ((wire.body?.length ?? 0) > maxBody || wire.path.length > 14_000) return undefined
    const first = await measure(wire)
    return { candidate, bytes: size, ...first }
  }
  /** The least of several measurements: collections of garbage and passes of workers only add. */
  const confirm = async (scored: Scored, times: number): Promise<Scored> => {
    const wire = toWire(operation, scored.candidate, known)
    let best: Measured = scored
    for (let time = 0; time < times; time++) {
      const again = await measure(wire)
      if (again.status !== scored.status) break // its first run had an effect
      if (again.processor < best.processor) best = again
    }
    return { ...scored, ...best }
  }
  const tried: Scored[] = []
  for (let one = 0; one < drawn; one++) {
    const scored = await score(draw(firstOf(operation)))
    if (scored) tried.push(scored)
  }
  const climb = async (belongs: (measured: Measured) => boolean): Promise<Scored | undefined> => {
    const candidates = tried.filter(belongs).toSorted((a, b) => b.processor - a.processor)
    const confirmed = []
    for (const one of candidates.slice(0, 5)) confirmed.push(await confirm(one, 3))
    let best = confirmed.toSorted((a, b) => b.processor - a.processor)[0]
    for (let step = 0; best && step < steps; step++) {
      const next = await score(draw(neighbourOf(operation, best.candidate)))
      if (!next || !belongs(next) || next.processor <= best.processor) continue
      const sure = await confirm(next, 3)
      if (belongs(sure) && sure.processor > best.processor) best = sure
    }
    return best && confirm(best, 5)
  }
  return { refused: await climb(isRejected), answered: await climb(isAnswered) }
}
