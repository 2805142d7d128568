import { smartBalanceAbi } from '@lanyard/onchain'
import type { Command } from 'commander'
import { type Address, encodeFunctionData, isAddressEqual } from 'viem'
import { ofOwner, withManual } from '../manual.ts'
import { parseAddress, type SendOptions, withSending } from '../options.ts'
import { assertPrivate } from '../roles/assert-private.ts'
import { openAsOwner } from '../smart-balance-session.ts'

const about = `
With its key in DEPLOYER_PRIVATE_KEY, the pauser may pause new orders (\`lanyard pause\`), pause settlement for at
most 36 hours in any 14 days (\`lanyard pause --settlement 12\`) and revoke operators
(\`lanyard roles revoke --role operator\`), and nothing else. That key can be at hand day and night, while the owner is a
multisig. Only the owner can resume new orders and name another pauser.`

/** `lanyard pauser set`. */
export function addPauser(group: Command): void {
  const pauser = group
  const set = withSending(
    pauser.command('set').description('name the pauser of SmartBalance on a network'),
  ).requiredOption('--address <address>', 'the new pauser; the zero address: nobody', parseAddress)
  withManual(set, {
    about,
    environment: ofOwner,
    opensKeys: true,
    examples: ['pauser set --network 8453 --address 0x00000000000000000000000000000000000a11ce'],
  }).action((options: PauserOptions) => setPauser(options))
}

/** As parsed from the command line. */
interface PauserOptions extends SendOptions {
  readonly address: Address
}

/** `lanyard pauser set`: takes effect immediately. */
async function setPauser(options: PauserOptions): Promise<void> {
  const { address } = options
  const { network, contract, output, send, finish } = await openAsOwner(options)
  assertPrivate(network.config, [address])
  const pauser = await network.call((client) => client.readContract({ ...contract, functionName: 'pauser' }))
  const isSet = isAddressEqual(pauser, address)
  if (isSet) output.say('Nothing to do: it is already the pauser.')
  const call = {
    description: `make ${address} pauser`,
    to: contract.address,
    data: encodeFunctionData({ abi: smartBalanceAbi, functionName: 'setPauser', args: [address] }),
  }
  const sent = await send(isSet ? [] : [call])
  finish({ pauser: options.dryRun ? pauser : address, sent })
}
