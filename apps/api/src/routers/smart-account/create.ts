import { computeAccountAddress } from '@lanyard/accounts'
import { endpoints } from '@lanyard/contracts'
import { createEoaAccount } from '@lanyard/database'
import { listNetworkAccounts } from '../../domain/accounts/accounts/deployed-networks.ts'
import { reserveAccount } from '../../domain/accounts/accounts/reserve-account.ts'
import { toStoredDeployment } from '../../domain/accounts/accounts/stored-deployment.ts'
import { toWallet } from '../../domain/accounts/accounts/wallet.ts'
import { requireKeyHolder } from '../../domain/accounts/owners/require-key-holder.ts'
import { implement } from '../../pipeline/implement.ts'

export const create = implement(endpoints.smartAccount.create, async ({ eoaAddress }, { services }) => {
  await requireKeyHolder(services.database, eoaAddress, 'eoaAddress')
  const { account } = await createEoaAccount(services.database, {
    beforeNew: reserveAccount,
    address: computeAccountAddress({ kind: 'eoa', address: eoaAddress }, services.accountDeployment),
    eoaAddress,
    deployment: toStoredDeployment(services.accountDeployment),
    createdAt: services.now(),
  })
  const { address } = toWallet(account) // an account with earlier contracts keeps its address
  return {
    username: account.username,
    wallet: {
      type: 'EOA' as const,
      scw_address: address,
      multi_scw: await listNetworkAccounts(services, address),
      eoa_address: eoaAddress,
    },
  }
})
