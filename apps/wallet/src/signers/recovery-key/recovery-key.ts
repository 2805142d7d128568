import type { EoaOwner } from '@lanyard/accounts'
import { isAddress, isHex } from 'viem'
import { t } from '../../i18n/t.ts'
import type { KeyCandidate, SignerKind } from '../signer-kind.ts'
import { AddRecoveryAddress } from './add-recovery-address.tsx'
import { AddRecoveryKey } from './add-recovery-key.tsx'

/** An ordinary Ethereum key: words that are kept, a hardware wallet, another wallet. */
export const recoveryKey: SignerKind<KeyCandidate, EoaOwner> = {
  kind: 'eoa',
  label: t('Recovery address'),
  signsHere: false,
  lastOne: {
    title: t('This is the last recovery address.'),
    text: t('Passkeys work only at {hostname}. If this site goes away, nobody can move your funds.', {
      hostname: globalThis.location?.hostname ?? t('this site'),
    }),
  },
  additions: [
    { value: 'key', label: t('Recovery key'), Form: AddRecoveryKey },
    { value: 'address', label: t('Address'), Form: AddRecoveryAddress },
  ],
  toCandidate: ({ address }) => ({ kind: 'eoa', address }),
  store: ({ address, consent }) => ({ address, credentialId: '', ...(consent && { consent }) }),
  readStored: ({ address, consent }) =>
    isAddress(address) ? { kind: 'eoa', address, consent: isHex(consent) ? consent : undefined } : undefined,
  toRequest: ({ address, consent }) => ({ ownerAddress: address, ownerSignature: consent }),
  nameOwner: ({ address }, signature) => ({ address, signature }),
}
