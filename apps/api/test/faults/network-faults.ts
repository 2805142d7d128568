import { isLong } from '@lanyard/testing'
import {
  absurdFees,
  absurdGas,
  futureBlock,
  noLogs,
  otherReceipt,
  otherStatus,
  type RpcFault,
  staleBlock,
  wrongChain,
} from '@lanyard/testing/fault-proxy'
import type { EndpointName } from '../../src/pipeline/access.ts'
import type { NetworkFault } from './faulty-service.ts'

export interface FaultCase {
  readonly name: string
  readonly fault: NetworkFault
  /**
   * `dead`: every request to the network fails. `lies`: some requests fail and others get an answer. A lie that can
   * be detected is rejected. A lie that cannot be detected must not leave a lasting trace.
   */
  readonly kind: 'dead' | 'lies'
  /** Endpoints that detect the lie. They never answer as usual. */
  readonly seenBy?: readonly EndpointName[]
}

const dead = (name: string, fault: RpcFault): FaultCase => ({
  name,
  kind: 'dead',
  fault: { rules: [{ fault }] },
})

/**
 * Positions in the answer of `OperationSimulator.simulate`, in words of 32 bytes: the gas limits of verification
 * and of execution.
 */
const gasLimits = [8, 14]

const html = { 'content-type': 'text/html' }

/** What `pnpm test` runs. */
const short: readonly FaultCase[] = [
  { name: 'down', kind: 'dead', fault: 'refuse' },
  dead('slow, 30 s', { kind: 'delay', milliseconds: 30_000 }),
  dead('truncated answers', { kind: 'truncate', bytes: 20 }),
  dead('null forever', { kind: 'null' }),
  { name: 'another chain', kind: 'dead', fault: { rules: [wrongChain(1)] } },
  { name: 'no logs', kind: 'lies', fault: { rules: [noLogs()] } },
  {
    name: 'absurd gas, and receipts with the opposite status',
    kind: 'lies',
    // A build reads no receipt, and a reader of receipts needs no gas, so neither lie hides the other.
    fault: { rules: [absurdGas(2n ** 24n + 1n, gasLimits), otherStatus()] },
    seenBy: ['smartAccount.build', 'smartAccount.gasFees', 'webauthn.transactionOptions'],
  },
  { name: 'absurd fees', kind: 'lies', fault: { rules: [absurdFees(10n ** 20n)] } },
  { name: 'the receipt of another transaction', kind: 'lies', fault: { rules: [otherReceipt()] } },
]

/** What `pnpm test:long` runs in addition. */
const long: readonly FaultCase[] = [
  dead('answers that never end', { kind: 'stall', bytes: 20 }),
  dead('connections cut', { kind: 'cut' }),
  dead('HTTP 500', { kind: 'http', status: 500, body: '{}' }),
  dead('HTTP 429 for an hour', { kind: 'http', status: 429, body: '{}', headers: { 'retry-after': '3600' } }),
  dead('an HTML page', { kind: 'http', status: 200, body: '<p>Sign in', headers: html }),
  dead('JSON-RPC errors', { kind: 'error', code: -32603, message: 'Internal error' }),
  { name: 'a stale head', kind: 'lies', fault: { rules: [staleBlock(1n)] } },
  { name: 'a head in the future', kind: 'lies', fault: { rules: [futureBlock(40_000_000n)] } },
  {
    name: 'no blocks by number',
    kind: 'lies',
    fault: { rules: [{ methods: ['eth_getBlockByNumber'], fault: { kind: 'null' } }] },
  },
  {
    name: 'no receipts',
    kind: 'lies',
    fault: { rules: [{ methods: ['eth_getTransactionReceipt'], fault: { kind: 'null' } }] },
  },
]

export const networkFaults: readonly FaultCase[] = isLong ? [...short, ...long] : short
