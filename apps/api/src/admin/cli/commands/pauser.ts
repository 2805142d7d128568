import type { Command } from 'commander'
import { type Address, isAddressEqual } from 'viem'
import { parseAddress, type SendOptions } from '../options.ts'
import { callOf, reach, withCall } from '../owner-command.ts'
import { assertPrivate } from '../roles/role-calls.ts'

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
    act({ network, contract }, { address }) {
      assertPrivate(network.config, [address])
      return reach({
        read: () => network.call((client) => client.readContract({ ...contract, functionName: 'pauser' })),
        calls: (pauser) =>
          isAddressEqual(pauser, address)
            ? []
            : [callOf(contract, `make ${address} pauser`, 'setPauser', [address])],
        end: (_pauser, sent) => sent.length === 0 && 'Nothing to do: it is already the pauser.',
        result: (pauser) => ({ pauser }),
      })
    },
  }).requiredOption('--address <address>', 'the new pauser; the zero address: nobody', parseAddress)
}
