import { entryPointsOf, entryPointV08 } from '@lanyard/networks'
import { createClient, http } from 'viem'
import { z } from 'zod'
import { finding } from '../finding.ts'
import type { Check } from '../subject.ts'

const chainIdAnswer = z
  .string()
  .regex(/^0x[0-9a-fA-F]{1,13}$/)
  .transform(Number)
const entryPointsAnswer = z.array(z.string())

/** A remote bundler answers for this chain and the entry points of its accounts. */
export const checkBundler: Check = async ({ network }) => {
  const { bundler, chainId, rpcTimeout } = network.config
  if (bundler.kind !== 'remote') return []
  const client = createClient({ transport: http(bundler.url, { timeout: rpcTimeout, retryCount: 0 }) })
  // viem's client type does not contain these methods; the schemas check the answers.
  const ask = (method: string): Promise<unknown> => client.request({ method } as never)
  const fix = `Correct bundler.url of network ${chainId} in NETWORKS_FILE, or use "bundler": { "kind": "embedded" }.`
  const answers = await Promise.all([ask('eth_chainId'), ask('eth_supportedEntryPoints')]).catch(
    () => undefined,
  )
  const parsed = answers && z.tuple([chainIdAnswer, entryPointsAnswer]).safeParse(answers)
  if (!parsed?.success) {
    return finding('BUNDLER_UNREACHABLE', {
      message: 'The endpoint does not answer like a bundler: operations wait until it does.',
      expected: 'answers to eth_chainId and eth_supportedEntryPoints (ERC-7769)',
      seen: answers ? 'other answers' : 'no answer',
      fix,
    })
  }
  const [actual, entryPoints] = parsed.data
  if (actual !== chainId) {
    return finding('BUNDLER_WRONG_CHAIN', {
      message: 'The bundler serves another chain.',
      expected: `chain ${chainId}`,
      seen: `chain ${actual}`,
      fix,
    })
  }
  const served = new Set(entryPoints.map((one) => one.toLowerCase()))
  const missing = entryPointsOf(network.config).filter((one) => !served.has(one.toLowerCase()))
  if (missing.length === 0) return []
  const onlyDelegated = missing.every((one) => one === entryPointV08)
  return finding('BUNDLER_WITHOUT_ENTRY_POINT', {
    message: onlyDelegated
      ? 'The bundler serves no EntryPoint v0.8: operations of EOAs that are accounts fail.'
      : 'The bundler does not serve the entry point of the accounts.',
    expected: missing.join(', '),
    seen: entryPoints.join(', ') || 'none',
    fix: onlyDelegated
      ? `Set "accountKinds": ["safe"] for this network, or use another bundler. ${fix}`
      : fix,
  })
}
