import { performance } from 'node:perf_hooks'
import type { Bench } from '../bench.ts'
import type { Comparison } from '../report/result.ts'
import { versionsOf } from '../report/versions.ts'

const domain = new URL('../../../../apps/api/src/domain/gas-policies/', import.meta.url)

/** The service's internal modules that this bench uses. No package exports them. */
interface PolicyModules {
  readonly policiesFile: { parse(file: unknown): { readonly policies: readonly unknown[] } }
  readonly choosePolicy: (
    policies: readonly unknown[],
    request: object,
  ) => { readonly paying?: { readonly id: string } | undefined }
}

const addressOf = (i: number) => `0x${(i + 0x10000).toString(16).padStart(40, '0')}`
const sizes = [10, 100, 1000]
/** Evaluations for each file, which take about a second. */
const evaluations = 2_000_000

/** A policy with every condition. Only the last one of a file matches. */
const policyOf = (i: number, count: number) => ({
  id: `policy-${i}`,
  apiKeys: ['server', 'public:shop'],
  networks: [8453, 31337],
  accounts: [addressOf(0), addressOf(1)],
  calls: [
    { contract: addressOf(i === count - 1 ? 7 : 100 + i), functions: ['transfer(address,uint256)', '0x'] },
  ],
  validUntil: '2100-01-01T00:00:00Z',
  budgets: { day: { wei: '1' } },
})

/** Evaluates the policies of a file for a batch of three calls: every policy and every condition. */
export const policiesBench: Bench = {
  name: 'policies',
  async run(progress) {
    const { policiesFile }: PolicyModules = await import(new URL('gas-policy.ts', domain).href)
    const { choosePolicy }: PolicyModules = await import(new URL('match-policies.ts', domain).href)
    const call = { to: addressOf(7), value: 0n, data: `0xa9059cbb${'00'.repeat(64)}` }
    const request = {
      network: 31337,
      account: addressOf(0),
      apiKey: 'public:shop',
      calls: [call, call, { ...call, data: '0x' }],
      at: new Date(),
    }
    const comparisons: Comparison[] = []
    for (const count of sizes) {
      const { policies } = policiesFile.parse({
        policies: Array.from({ length: count }, (_, i) => policyOf(i, count)),
      })
      const evaluate = (rounds: number) => {
        const began = performance.now()
        for (let round = 0; round < rounds; round++) {
          if (choosePolicy(policies, request).paying?.id !== `policy-${count - 1}`)
            throw new Error('the last policy of the file pays')
        }
        return (rounds * count * 1000) / (performance.now() - began)
      }
      const rounds = evaluations / count
      evaluate(rounds / 10) // warm-up
      const rates = Array.from({ length: 5 }, () => evaluate(rounds / 5)).sort((a, b) => a - b)
      const [, , median = 0] = rates
      progress(`${count} policies: ${Math.round(median)} evaluated per second`)
      comparisons.push({
        what: `Policies evaluated per second, file of ${count}`,
        unit: 'policies/s',
        ours: median,
      })
    }
    return {
      title: 'Gas policies',
      method:
        'In one process: a batch of three calls is checked against a file of policies with conditions on API key, network, account, calls and time, of which only the last matches. Budgets are rows in the database, and are not measured.',
      versions: versionsOf('zod'),
      comparisons,
    }
  },
}
