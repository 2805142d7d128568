import { Counter, type Registry } from 'prom-client'

/**
 * What has series of its own, with the labels that name it. `process` is known at once; the others are announced when the
 * service starts. `balance` is a network with a smart balance, `refilled` a relayer that a treasury fills up.
 */
const subjects = {
  process: [],
  network: ['network'],
  endpoint: ['network', 'endpoint'],
  balance: ['network'],
  relayer: ['network', 'relayer'],
  refilled: ['network', 'relayer'],
  signer: ['role'],
  pass: ['pass'],
  policy: ['policy'],
  gauge: ['metric'],
} as const

type Subject = keyof typeof subjects

/** The labels that name a subject. */
type SubjectLabels<S extends Subject> = Readonly<Record<(typeof subjects)[S][number], string | number>>

type Labels = Readonly<Record<string, string | number>>

interface CounterDeclaration<S extends Subject, L extends Labels> {
  readonly name: string
  readonly help: string
  readonly subject: S
  /** All combinations of the other labels. Absent: there are no others. */
  readonly values?: readonly L[]
}

export interface ZeroedCounters {
  /** Declares a counter, and returns the function that counts. */
  counter<S extends Subject, const L extends Labels = Record<never, never>>(
    declaration: CounterDeclaration<S, L>,
  ): (labels: SubjectLabels<S> & L, amount?: number) => void
  /** Shows all series of a subject with 0, once; may be called again. */
  announce<S extends Subject>(subject: S, labels: SubjectLabels<S>): void
  /** Reads the metrics. Later readings show what was counted before the first one that showed the series. */
  read(): Promise<string>
}

/**
 * Counters whose series all exist before anything is counted, and that show 0 at first: what a process counts before its metrics
 * are read for the first time is shown by the second reading. `increase()` and `rate()` of a series that appears with its first
 * event are 0, so an alert on it would miss what a process finds when it starts.
 */
export function createZeroedCounters(registry: Registry): ZeroedCounters {
  const starts: { readonly subject: Subject; start(labels: Labels): void }[] = []
  const announced: { readonly subject: Subject; readonly labels: Labels }[] = [
    { subject: 'process', labels: {} },
  ]
  /** Series that no reading has shown, and what was counted in them. */
  const unshown = new Map<string, { amount: number; add(amount: number): void }>()
  return {
    counter({ name, help, subject, values }) {
      const combinations: readonly Labels[] = values ?? [{}]
      const labelNames = [...subjects[subject], ...Object.keys(combinations[0] ?? {})]
      const counter = new Counter({ name, help, labelNames, registers: [registry] })
      const idOf = (labels: Labels) => [name, ...labelNames.map((label) => labels[label])].join('\n')
      const start = (labels: Labels) => {
        for (const others of combinations) {
          const all = { ...labels, ...others }
          counter.inc(all, 0)
          unshown.set(idOf(all), { amount: 0, add: (amount) => counter.inc(all, amount) })
        }
      }
      starts.push({ subject, start })
      for (const one of announced) if (one.subject === subject) start(one.labels)
      return (labels, amount = 1) => {
        const held = unshown.get(idOf(labels))
        if (held) held.amount += amount
        else counter.inc({ ...labels }, amount)
      }
    },
    announce(subject, labels) {
      announced.push({ subject, labels })
      for (const one of starts) if (one.subject === subject) one.start(labels)
    },
    async read() {
      const shown = [...unshown]
      const text = await registry.metrics()
      for (const [id, held] of shown) if (unshown.delete(id)) held.add(held.amount)
      return text
    },
  }
}

/** All combinations of label values. */
export function combine<const V extends Readonly<Record<string, readonly (string | number)[]>>>(
  values: V,
): { readonly [K in keyof V]: V[K][number] }[] {
  const names = Object.keys(values) as (keyof V)[] // Object.keys widens them
  const combinations = names.reduce<Record<keyof V, string | number>[]>(
    (some, name) =>
      some.flatMap((labels) => (values[name] ?? []).map((value) => ({ ...labels, [name]: value }))),
    [{} as Record<keyof V, string | number>], // filled by the names above
  )
  return combinations as { readonly [K in keyof V]: V[K][number] }[] // one value of each name
}
