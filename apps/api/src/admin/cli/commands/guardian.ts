import { smartBalanceAbi } from '@lanyard/onchain'
import type { Command } from 'commander'
import { type Address, encodeFunctionData, isAddressEqual } from 'viem'
import { ofOwner, withManual } from '../manual.ts'
import { parseAddress, type SendOptions, withSending } from '../options.ts'
import { assertPrivate } from '../roles/assert-private.ts'
import { openAsOwner } from '../smart-balance-session.ts'

const about = `
With its key in DEPLOYER_PRIVATE_KEY, the guardian may pause new orders (\`lanyard pause\`) and revoke operators
(\`lanyard roles revoke --role operator\`), and nothing else. That key can be at hand day and night, while the owner is a
multisig. Only the owner can resume new orders and name another guardian.`

/** `lanyard guardian set`. */
export function addGuardian(group: Command): void {
  const guardian = group
  const set = withSending(
    guardian.command('set').description('name the guardian of SmartBalance on a network'),
  ).requiredOption('--address <address>', 'the new guardian; the zero address: nobody', parseAddress)
  withManual(set, {
    about,
    environment: ofOwner,
    opensKeys: true,
    examples: ['guardian set --network 8453 --address 0x00000000000000000000000000000000000a11ce'],
  }).action((options: GuardianOptions) => setGuardian(options))
}

/** As parsed from the command line. */
interface GuardianOptions extends SendOptions {
  readonly address: Address
}

/** `lanyard guardian set`: takes effect immediately. */
async function setGuardian(options: GuardianOptions): Promise<void> {
  const { address } = options
  const { network, contract, output, send, finish } = await openAsOwner(options)
  assertPrivate(network.config, [address])
  const guardian = await network.call((client) =>
    client.readContract({ ...contract, functionName: 'guardian' }),
  )
  const isSet = isAddressEqual(guardian, address)
  if (isSet) output.say('Nothing to do: it is already the guardian.')
  const call = {
    description: `make ${address} guardian`,
    to: contract.address,
    data: encodeFunctionData({ abi: smartBalanceAbi, functionName: 'setGuardian', args: [address] }),
  }
  const sent = await send(isSet ? [] : [call])
  finish({ guardian: options.dryRun ? guardian : address, sent })
}
