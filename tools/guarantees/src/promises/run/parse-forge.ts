import type { Figure } from '@lanyard/testing'
import type { FileOutcome } from './outcome.ts'

/** The members of `forge test --json` that are read, by contract and test. */
type ForgeReport = Readonly<
  Record<
    string,
    {
      readonly test_results: Readonly<
        Record<
          string,
          {
            readonly status: string
            readonly kind: {
              readonly Fuzz?: { readonly runs: number }
              readonly Invariant?: {
                readonly runs: number
                readonly calls: number
                readonly metrics: Readonly<Record<string, { readonly calls: number }>>
              }
            }
          }
        >
      >
    }
  >
>

/**
 * Parses forge's report for some folders or files: which tests passed, and how often each function was
 * called.
 */
export function parseForge(
  text: string,
  promise: number,
  folders: readonly string[],
): { readonly files: FileOutcome[]; readonly figures: Figure[] } {
  const report: ForgeReport = JSON.parse(text)
  const contracts = Object.entries(report)
  const tests = contracts.flatMap(([contract, { test_results }]) =>
    Object.values(test_results).map((test) => ({ contract, ...test })),
  )
  const files = folders.map((file): FileOutcome => {
    const own = tests.filter(
      ({ contract }) => contract.startsWith(`${file}/`) || contract.startsWith(`${file}:`),
    )
    const passed = own.filter(({ status }) => status === 'Success').length
    const failed = own.filter(({ status }) => status === 'Failure').length
    const state = failed > 0 ? 'failed' : passed > 0 ? 'passed' : 'skipped'
    return { file, counted: 'tests', state, passed, failed, milliseconds: 0 }
  })
  const figures: Figure[] = [
    { promise, name: 'tests of contracts', value: tests.length },
    {
      promise,
      name: 'fuzz runs',
      value: tests.reduce((sum, { kind }) => sum + (kind.Fuzz?.runs ?? 0), 0),
    },
  ]
  for (const { contract, kind } of tests) {
    if (!kind.Invariant) continue
    const [, name = contract] = contract.split(':')
    figures.push({ promise, name: `${name}: calls`, value: kind.Invariant.calls })
    const calls = Object.entries(kind.Invariant.metrics)
      .map(([selector, { calls }]) => `${selector.slice(selector.lastIndexOf('.') + 1)} ${calls}`)
      .toSorted()
    figures.push({ promise, name: `${name}: of each kind`, value: calls.join(', ') })
  }
  return { files, figures }
}
