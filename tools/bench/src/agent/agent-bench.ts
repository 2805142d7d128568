import type { Bench } from '../bench.ts'
import { versionsOf } from '../report/machine.ts'
import { median, takeTurns, timed } from '../report/statistics.ts'
import { startAgentFixture } from './agent-fixture.ts'

/** Purchases of each kind. They alternate. */
const rounds = 40
const warmUp = 5

const peerName = 'an EOA with x402’s own client'

/** Compares a purchase by an agent's session key and purse with a purchase by a bare EOA. */
export const agentBench: Bench = {
  name: 'agent',
  async run(progress) {
    await using fixture = await startAgentFixture()
    const buy = (kind: string, pay: (reference: string) => Promise<void>) => async (round: number) => {
      if (kind === 'bare' && round % 10 === 0) progress(`${round} of ${warmUp + rounds} rounds`)
      return (await timed(() => pay(`${kind} ${round}`))).ms
    }
    const times = await takeTurns(
      {
        bare: buy('bare', fixture.payBare),
        purse: buy('purse', fixture.payFromPurse),
        refill: buy('refill', fixture.payWithRefill),
      },
      { rounds, warmUp },
    )
    const peer = median(times.bare)
    const compare = (what: string, ours: number) => ({ what, unit: 'ms' as const, ours, peer, peerName })
    return {
      title: 'Purchases of an agent',
      method: `One page of \`examples/paid-api\`, paid by x402 (scheme exact, EIP-3009): request, 402, signature, second request, settlement by x402’s facilitator on a local network that mines at once, the page. The three kinds alternate, ${rounds} of each. The peer: x402’s own client with a key that holds the tokens and has no limits. Ours: the tool \`pay_url\` over MCP, in one process with the caller. It reads the networks, the session and the purse’s balance, and stores the purchase on disk before it sends it. With a refill, the session key first moves the price from the account to the purse, by a user operation that the service includes; PGlite runs in the service’s process. A refill usually serves many purchases.`,
      versions: versionsOf('@x402/core', '@x402/evm', '@modelcontextprotocol/sdk', 'viem'),
      comparisons: [
        compare('A purchase from the purse', median(times.purse)),
        compare('A purchase with a refill of the purse by the session key', median(times.refill)),
      ],
    }
  },
}
