import type { Command } from 'commander'
import { type Address, isAddressEqual } from 'viem'
import { parseAddress, type SendOptions } from '../options.ts'
import { smartBalanceCall, withCall } from '../owner-command.ts'
import { assertPrivate } from '../roles/assert-private.ts'

const about = `
With its key in DEPLOYER_PRIVATE_KEY, the pauser may pause new orders (\`lanyard pause\`), pause settlement for at
most 36 hours in any 14 days (\`lanyard pause --settlement 12\`) and revoke operators
(\`lanyard roles revoke --role operator\`), and nothing else. That key can be at hand day and night, while the owner is a
multisig. Only the owner can resume new orders and name another pauser.`

/** `lanyard pauser set`. */
export function addPauser(group: Command): void {
  const set = group.command('set').description('name the pauser of SmartBalance on a network')
  withCall<SendOptions & { readonly address: Address }>(set, {
    about,
    examples: ['pauser set --network 8453 --address 0x00000000000000000000000000000000000a11ce'],
    async act(session, { address, dryRun }) {
      const { network, contract, output } = session
      assertPrivate(network.config, [address])
      const pauser = await network.call((client) =>
        client.readContract({ ...contract, functionName: 'pauser' }),
      )
      const isSet = isAddressEqual(pauser, address)
      if (isSet) output.say('Nothing to do: it is already the pauser.')
      const description = `make ${address} pauser`
      const call = smartBalanceCall(session, { description, functionName: 'setPauser', args: [address] })
      return { call: isSet ? undefined : call, result: () => ({ pauser: dryRun ? pauser : address }) }
    },
  }).requiredOption('--address <address>', 'the new pauser; the zero address: nobody', parseAddress)
}
