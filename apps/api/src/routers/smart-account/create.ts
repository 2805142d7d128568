import { endpoints, LanyardError } from '@lanyard/contracts'
import { createEoaAccount } from '@lanyard/database'
import { listNetworkAccounts } from '../../domain/accounts/accounts/deployed-networks.ts'
import { defaultKind } from '../../domain/accounts/accounts/kind.ts'
import { reserveAccount } from '../../domain/accounts/accounts/reserve-account.ts'
import { rulesOf, toAnyWallet, walletOfEoa } from '../../domain/accounts/accounts/wallet.ts'
import { isConfirmedAccount } from '../../domain/accounts/callers/is-confirmed-account.ts'
import { requireKeyHolder, requireUsableAddress } from '../../domain/accounts/owners/require-key-holder.ts'
import { shownUsername } from '../../domain/accounts/users/shown-username.ts'
import { implement } from '../../pipeline/implement.ts'

export const create = implement(
  endpoints.smartAccount.create,
  async ({ eoaAddress, type = defaultKind }, context) => {
    const { services } = context
    requireUsableAddress(eoaAddress, 'eoaAddress')
    if (!services.networks.list().some(({ config }) => config.accountKinds.includes(type)))
      throw new LanyardError('UNSUPPORTED_ACCOUNT_KIND', { details: { type } })
    await requireKeyHolder(services.database, eoaAddress, 'eoaAddress')
    const { account } = await createEoaAccount(services.database, {
      ...rulesOf(walletOfEoa(type, eoaAddress, services.accountDeployment)).toStored(),
      confirmed: await isConfirmedAccount(context, { eoaAddress, type }),
      beforeNew: reserveAccount,
      createdAt: services.now(),
    })
    const wallet = toAnyWallet(account) // an account with earlier contracts keeps its address
    return {
      username: (await shownUsername(context, account)) ?? account.address,
      wallet: {
        type: 'EOA' as const,
        scw_address: wallet.address,
        account_kind: type,
        multi_scw: await listNetworkAccounts(services, wallet),
        eoa_address: eoaAddress,
      },
    }
  },
)
