import { type AccountOwner, decodeOwnerChange, ownerAddresses } from '@lanyard/accounts'
import { tryDecode } from '@lanyard/calls'
import { shortAddress } from '@lanyard/ui'
import type { Address, Hex } from 'viem'
import { t } from '../../i18n/t.ts'
import type { ProtectionAct } from '../../operation/use-activity.ts'

/** What owners or guardians did, in one line. */
export function describeAct(act: ProtectionAct, names: ReadonlyMap<string, string>): string {
  const party = (address: Address) => {
    const name = names.get(address.toLowerCase())
    return name ? `${name} (${shortAddress(address)})` : shortAddress(address)
  }
  const guardian = act.guardian ? party(act.guardian) : ''
  switch (act.act) {
    case 'recovery-signed':
      return t('Guardian {guardian} signed a recovery', { guardian })
    case 'recovery-started':
      return act.networks.length > 0
        ? t('Your guardians started a recovery')
        : t('Enough guardians signed a recovery')
    case 'recovery-executed':
      return act.waiting.length > 0
        ? t('The account was recovered on {done} of {total} networks', {
            done: act.networks.length,
            total: act.networks.length + act.waiting.length,
          })
        : t('The account was recovered')
    case 'cancellation-signed':
      return t('Guardian {guardian} signed to cancel the recovery', { guardian })
    case 'recovery-cancelled':
      return t('Your guardians cancelled the recovery')
    case 'change':
      return describeChange(act, party)
  }
}

/** The kind of change. Undefined if this wallet does not know it. */
export const changeOf = ({ change }: Pick<ProtectionAct, 'change'>) =>
  // The schema has `string` where viem has a template literal.
  change && tryDecode(() => decodeOwnerChange({ kind: change.kind as Hex, data: change.data as Hex }))

function describeChange(act: ProtectionAct, party: (address: Address) => string): string {
  const change = changeOf(act)
  const owner = (one: AccountOwner) => party(ownerAddresses(one)[0])
  switch (change?.kind) {
    case 'addOwner':
      return t('Added owner {party}', { party: owner(change.owner) })
    case 'removeOwner':
      return t('Removed owner {party}', { party: owner(change.owner) })
    case 'replaceOwner':
      return t('Replaced owner {old} by {added}', { old: owner(change.old), added: owner(change.added) })
    case 'setGuardians': {
      const { members, threshold } = change.guardians
      return members.length > 0
        ? t('Set guardians: {threshold} of {count} must sign', { threshold, count: members.length })
        : t('Removed all guardians')
    }
    case 'revokeSessions':
      return t('Ended all session keys')
    case 'cancel':
      return act.endsRecovery ? t('Cancelled the recovery') : t('Cancelled what guardians sign')
    default:
      return t('Changed the owners')
  }
}
