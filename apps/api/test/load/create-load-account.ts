import type { Address } from 'viem'
import type { Stage } from './stage.ts'

/** Creates the account of an EOA. */
export async function createLoadAccount({ client }: Stage, eoaAddress: Address): Promise<Address> {
  const { body } = await client.send({
    kind: 'create',
    path: '/smart-account/create',
    body: { eoaAddress },
  })
  return body.wallet.scw_address
}
