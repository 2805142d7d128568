import { smartBalanceAbi } from '@lanyard/onchain'
import { type Address, encodeFunctionData, isAddressEqual } from 'viem'
import type { SendOptions } from '../options.ts'
import { assertPrivate } from '../roles/assert-private.ts'
import { openAsOwner } from '../smart-balance-session.ts'

/** As parsed from the command line. */
export interface GuardianOptions extends SendOptions {
  readonly address: Address
}

/** `lanyard guardian set`: at once. */
export async function setGuardian(options: GuardianOptions): Promise<void> {
  const { address } = options
  const { network, contract, output, send, finish } = await openAsOwner(options)
  assertPrivate(network.config, [address])
  const guardian = await network.call((client) =>
    client.readContract({ ...contract, functionName: 'guardian' }),
  )
  const isSet = isAddressEqual(guardian, address)
  if (isSet) output.say('Nothing to do: it is the guardian already.')
  const call = {
    description: `make ${address} guardian`,
    to: contract.address,
    data: encodeFunctionData({ abi: smartBalanceAbi, functionName: 'setGuardian', args: [address] }),
  }
  const sent = await send(isSet ? [] : [call])
  finish({ guardian: options.dryRun ? guardian : address, sent })
}
