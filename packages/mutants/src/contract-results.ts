import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './paths.ts'

/** What came of a contract's hand-kept mutants (packages/onchain/scripts/mutants.ts). */
export interface ContractResult {
  readonly contract: string
  readonly date: string
  readonly killed: number
  readonly tried: number
}

interface KeptResult {
  readonly date: string
  readonly results: readonly { readonly noticedBy: string | null }[]
}

const kept = join(root, 'packages', 'onchain', 'mutants', 'results')

/** Those of all contracts, by name. */
export function readContractResults(): ContractResult[] {
  return readdirSync(kept)
    .filter((file) => file.endsWith('.json'))
    .sort()
    .map((file) => {
      const { date, results }: KeptResult = JSON.parse(readFileSync(join(kept, file), 'utf8'))
      return {
        contract: file.replace('.json', ''),
        date,
        killed: results.filter(({ noticedBy }) => noticedBy !== null).length,
        tried: results.length,
      }
    })
}
