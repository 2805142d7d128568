import { getRecoveryHash, recoveryTypedData, toGuardianSet, toModuleOwner, toOwner } from '@lanyard/accounts'
import { endpoints, LanyardError } from '@lanyard/contracts'
import { findNamedAccount } from '../../domain/accounts/accounts/find-named-account.ts'
import { getOwnership } from '../../domain/owners/ownership/read-ownership.ts'
import { listSignedChanges } from '../../domain/owners/ownership/signed-change.ts'
import { asInvalidInput, nextSequence } from '../../domain/owners/ownership/to-owner-change.ts'
import { readGuarded, requireGuarded, withGuardiansAt } from '../../domain/owners/recovery/guardian-sets.ts'
import { nameGuardians, nameOwner } from '../../domain/owners/recovery/list-guardians.ts'
import { encodeOwners, listGuardianMessages, listSignatures } from '../../domain/owners/recovery/recovery.ts'
import { highestNumber, isJoinable, isStartable } from '../../domain/owners/recovery/recovery-number.ts'
import { requireAlikeOwner } from '../../domain/owners/require-alike-owner.ts'
import { implement } from '../../pipeline/implement.ts'

export const prepare = implement(
  endpoints.recovery.prepare,
  async ({ account: name, newOwners: named, guardians: given }, { services }) => {
    const { database, networks } = services
    const module = getOwnership(networks)
    const newOwners = named.map((owner) => toOwner(owner))
    const moduleOwners = asInvalidInput('newOwners', () => newOwners.map(toModuleOwner))
    const guardianSet = given && asInvalidInput('guardians', () => toGuardianSet(given))
    const { wallet, username } = await findNamedAccount(database, name)
    const { address: account } = wallet
    const answers = await readGuarded(services, module, wallet, guardianSet)
    const guarded = requireGuarded(answers)
    const sequence = await nextSequence(services, module, wallet)
    // A change of guardians that is on its way arrives before the recovery.
    const [counting] = withGuardiansAt(guarded, sequence, await listSignedChanges(database, account))
    const guardians = counting?.guardians
    if (!guardians) throw new LanyardError(guarded[0].guardians ? 'NO_GUARDIANS' : 'UNKNOWN_GUARDIANS')
    await Promise.all(
      named.map((owner) =>
        'address' in owner ? requireAlikeOwner(networks, wallet, owner, 'newOwners') : undefined,
      ),
    )
    const messages = await listGuardianMessages(database, account)
    // The next guardian signs the same message.
    const signatures = await listSignatures(database, account)
    const joined = messages.find(
      ({ target, ...message }) =>
        message.sequence === sequence &&
        target?.newThreshold === 1n &&
        encodeOwners(target.newOwners) === encodeOwners(newOwners) &&
        isStartable(message, answers) &&
        isJoinable(message, guardians, messages, signatures),
    )
    const number = joined?.number ?? highestNumber(sequence, answers, messages) + 1n
    const context = { module, account, sequence, number }
    const { types } = recoveryTypedData(newOwners, context)
    return {
      ...{ account, module, sequence: sequence.toString(), number: number.toString() },
      guardians: nameGuardians(guardians),
      ...(username !== undefined && { username }),
      newOwners: newOwners.map(nameOwner),
      messageToSign: getRecoveryHash(newOwners, context),
      typedData: {
        domain: { name: 'Ownership', version: '1', verifyingContract: module },
        types: { Recovery: [...types.Recovery], Owner: [...types.Owner] },
        primaryType: 'Recovery' as const,
        message: {
          ...{ account, sequence: sequence.toString(), number: number.toString() },
          ...{ newOwners: moduleOwners, newThreshold: '1' },
        },
      },
    }
  },
)
