import { randomUUID } from 'node:crypto'
import { computeAccountAddress, safeDeployment } from '@lanyard/accounts'
import { endpoints } from '@lanyard/contracts'
import { createEoaAccount } from '@lanyard/database'
import { listNetworkAccounts } from '../../accounts/deployed-networks.ts'
import { toStoredDeployment } from '../../accounts/stored-deployment.ts'
import { implement } from '../../implement.ts'

export const create = implement(endpoints.smartAccount.create, async ({ eoaAddress }, { services }) => {
  const address = computeAccountAddress({ kind: 'eoa', address: eoaAddress }, safeDeployment)
  const { username } = await createEoaAccount(services.database, {
    userId: randomUUID(),
    address,
    eoaAddress,
    deployment: toStoredDeployment(safeDeployment),
    now: services.now(),
  })
  return {
    username,
    wallet: {
      type: 'EOA' as const,
      scw_address: address,
      multi_scw: await listNetworkAccounts(services, address),
      eoa_address: eoaAddress,
    },
  }
})
