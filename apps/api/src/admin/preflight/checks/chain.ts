import { BaseError, type Hex } from 'viem'
import { codeThatReturns } from '../code-that-returns.ts'
import { type Findings, finding } from '../finding.ts'
import type { Check, Subject } from '../subject.ts'

/** The features of a node that the service needs besides contracts: final blocks, fees, overrides. */
export const checkChain: Check = async (subject) =>
  (await Promise.all([checkFinality(subject), checkFees(subject), checkStateOverride(subject)])).flat()

async function checkFinality({ network }: Subject): Promise<Findings> {
  const { finality, chainId } = network.config
  const wanted =
    'tag' in finality ? `the block tag ${finality.tag}` : `${finality.confirmations} confirmations`
  try {
    await network.finalizedBlock()
    return []
  } catch (error) {
    return finding('NO_FINALITY', {
      message: 'The node does not say which block is final, so nothing would ever be settled.',
      expected: wanted,
      seen: shortly(error),
      fix: `Use a node that answers it, or give network ${chainId} "finality": { "confirmations": … } in NETWORKS_FILE.`,
    })
  }
}

async function checkFees({ network }: Subject): Promise<Findings> {
  // A base fee of 0 is right on some networks, such as BNB Smart Chain: there the tip is the whole price.
  const seen = await network.fees().then(() => undefined, shortly)
  if (seen === undefined) return []
  return finding('NO_FEES', {
    message: 'The network gives no usable EIP-1559 fees: nothing can be built.',
    expected: 'eth_feeHistory with a base fee',
    seen,
    fix: 'Use a node that answers eth_feeHistory. If the fee is above maxFeePerGas in NETWORKS_FILE, raise that limit.',
  })
}

/** An unused address, for a call with an override. */
const overridden = '0x00000000000000000000000000000000000a11ed'
const answer: Hex = '0x000000000000000000000000000000000000000000000000000000000000002a'

async function checkStateOverride({ network }: Subject): Promise<Findings> {
  const seen = await network
    .call((client) =>
      client.call({
        to: overridden,
        stateOverride: [{ address: overridden, code: codeThatReturns(answer) }],
      }),
    )
    .then(({ data }) => (data === answer ? undefined : 'the override is ignored'), shortly)
  if (seen === undefined) return []
  return finding('NO_STATE_OVERRIDE', {
    message: 'The node does not simulate with overridden code, so no operation can be estimated.',
    expected: 'eth_call with a third parameter (state override set)',
    seen,
    fix: 'Use a node that supports it (geth, erigon, reth, nitro, and providers that run them).',
  })
}

/** The message of an error, without the request and the RPC address. */
function shortly(error: unknown): string {
  if (error instanceof BaseError) return error.details || 'no usable answer'
  if (!(error instanceof Error)) return 'no usable answer'
  return error.cause instanceof BaseError && error.cause.details ? error.cause.details : error.message
}
