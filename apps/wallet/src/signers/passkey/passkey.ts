import { defaultVerifiers, encodeCreateSigner, type PasskeyOwner } from '@lanyard/accounts'
import { t } from '../../i18n/t.ts'
import { knownPasskey } from '../../sign-in/known-passkey.ts'
import type { PasskeyCandidate, SignerKind } from '../signer-kind.ts'
import { AddPasskey } from './add-passkey.tsx'
import { namePasskey } from './name-passkey.ts'

/** A passkey of this browser, whose key it saw at registration. */
function candidateOf(credentialId: string | undefined): PasskeyCandidate | undefined {
  const key = credentialId === undefined ? undefined : knownPasskey(credentialId)
  if (credentialId === undefined || !key) return undefined
  return { kind: 'passkey', credentialId, ...key, verifiers: defaultVerifiers }
}

export const passkey: SignerKind<PasskeyCandidate, PasskeyOwner> = {
  kind: 'passkey',
  label: t('Passkey'),
  signsHere: true,
  lastOne: {
    title: t('This is the last passkey.'),
    text: t(
      'This wallet signs with passkeys. Without one, you can act only with your recovery address, on the recovery page.',
    ),
  },
  additions: [{ value: 'passkey', label: t('Passkey'), Form: AddPasskey }],
  toCandidate: ({ credentialId }) => candidateOf(credentialId),
  store: ({ credentialId }) => ({ address: '', credentialId }),
  readStored: ({ address, credentialId }) => (address === '' ? candidateOf(credentialId) : undefined),
  toRequest: ({ credentialId }) => ({ credentialId }),
  nameOwner: namePasskey,
  creation: encodeCreateSigner,
}
