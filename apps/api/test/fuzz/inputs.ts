import fc from 'fast-check'
import type { FuzzedOperation, JsonSchema } from './document.ts'
import { anyHostile, spoiled, withMember } from './hostile-values.ts'
import { knownFor } from './known-names.ts'
import { schemaArbitrary } from './schema-arbitrary.ts'

/** Query and body as the single input of a procedure. */
export type Input = Readonly<Record<string, unknown>>

type Step = string | number

/** The paths of all places in a value, outermost first. */
function placesIn(value: unknown, at: readonly Step[] = []): readonly (readonly Step[])[] {
  if (typeof value !== 'object' || value === null) return [at]
  const steps: readonly Step[] = Array.isArray(value) ? [...value.keys()] : Object.keys(value)
  return [at, ...steps.flatMap((step) => placesIn(Reflect.get(value, step), [...at, step]))]
}

const at = (value: unknown, place: readonly Step[]): unknown =>
  place.reduce<unknown>((inner, step) => Reflect.get(Object(inner), step), value)

/** Replaces the value at a place. `undefined` removes it. */
function withPlace(value: unknown, place: readonly Step[], other: unknown): unknown {
  const [step, ...rest] = place
  if (step === undefined) return other
  if (Array.isArray(value)) {
    const changed = value.map((item, index) => (index === step ? withPlace(item, rest, other) : item))
    return changed.filter((item) => item !== undefined)
  }
  const changed = Object.entries(Object(value)).map(([key, member]) => [
    key,
    key === step ? withPlace(member, rest, other) : member,
  ])
  return Object.fromEntries(changed.filter(([, member]) => member !== undefined))
}

/** An input with one wrong place. */
function withOneError(input: Input): fc.Arbitrary<Input> {
  const places = placesIn(input).slice(1)
  if (places.length === 0) return anyHostile.map((value) => ({ unknownField: value }))
  return fc
    .constantFrom(...places)
    .chain((place) =>
      fc
        .oneof(
          { weight: 5, arbitrary: spoiled(at(input, place)) },
          { weight: 4, arbitrary: anyHostile },
          { weight: 1, arbitrary: fc.constant(undefined) },
        )
        .map((other) => withPlace(input, place, other) as Input),
    )
}

const stray = fc
  .tuple(
    fc.constantFrom('__proto__', 'constructor', 'toString', 'unknownField', '', '0', 'query'),
    anyHostile,
  )
  .map(([key, value]) => withMember({}, key, value))

export interface Inputs {
  readonly valid: fc.Arbitrary<Input>
  readonly nearlyValid: fc.Arbitrary<Input>
  readonly garbage: fc.Arbitrary<Input>
}

const cache = new Map<string, Inputs>()

/**
 * The inputs of an operation, from its schemas in the document. They are cached, because creating them takes longer
 * than most requests.
 */
export function inputsOf(operation: FuzzedOperation): Inputs {
  const inputs = cache.get(operation.id) ?? createInputs(operation)
  cache.set(operation.id, inputs)
  return inputs
}

function createInputs({ query, body }: FuzzedOperation): Inputs {
  const schema: JsonSchema = {
    type: 'object',
    properties: {
      ...Object.fromEntries(Object.entries(query).map(([name, { schema: one }]) => [name, one])),
      ...body?.properties,
    },
    required: [
      ...Object.entries(query).flatMap(([name, { required }]) => (required ? [name] : [])),
      ...(body?.required ?? []),
    ],
  }
  const valid = schemaArbitrary(schema, knownFor) as fc.Arbitrary<Input> // its type is object
  const names = Object.keys(schema.properties ?? {})
  return {
    valid,
    nearlyValid: fc.oneof(
      { weight: 6, arbitrary: valid.chain(withOneError) },
      { weight: 2, arbitrary: valid.chain(withOneError).chain(withOneError) },
      { weight: 1, arbitrary: fc.tuple(valid, stray).map(([input, more]) => ({ ...more, ...input })) },
    ),
    garbage:
      names.length === 0
        ? stray.map((more) => more as Input)
        : fc.dictionary(fc.constantFrom(...names), anyHostile, { noNullPrototype: true }),
  }
}
