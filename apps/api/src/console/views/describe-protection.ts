import { decodeOwnerChange } from '@lanyard/accounts'
import type { readProtectionHistory } from '../../domain/owners/protection-history.ts'

type Act = Awaited<ReturnType<typeof readProtectionHistory>>[number]

/** What owners or guardians did, in a few words. */
export function describeProtection({ act, change, endsRecovery, networks, waiting }: Act): string {
  switch (act) {
    case 'recovery-signed':
      return 'A guardian signed a recovery'
    case 'cancellation-signed':
      return 'A guardian signed to cancel a recovery'
    case 'recovery-started':
      return networks.length > 0
        ? 'Recovery started'
        : waiting.length > 0
          ? 'Recovery signed, not started yet'
          : 'Recovery signed, then cancelled'
    case 'recovery-executed':
      return `Recovered on ${networks.length} of ${networks.length + waiting.length} networks`
    case 'recovery-cancelled':
      return 'Guardians cancelled a recovery'
    case 'change':
      return `${change ? describeChange(change) : 'Owners changed'}${endsRecovery ? ', which ended a recovery' : ''}`
  }
}

function describeChange({ kind, data }: NonNullable<Act['change']>): string {
  try {
    const change = decodeOwnerChange({ kind, data })
    if (change.kind !== 'setGuardians') return names[change.kind]
    const { members, threshold } = change.guardians
    return members.length > 0 ? `Guardians set: ${threshold} of ${members.length}` : 'Guardians removed'
  } catch {
    return 'Owners changed' // of a kind that this version does not know
  }
}

const names = {
  addOwner: 'Owner added',
  removeOwner: 'Owner removed',
  replaceOwner: 'Owner replaced',
  setThreshold: 'Threshold changed',
  revokeSessions: 'Session keys ended',
  cancel: 'Cancelled by an owner',
} as const
