import type { EoaOwner, PasskeyOwner } from '@lanyard/accounts'

/** Who shall become an owner. For a passkey, its key as this browser saw it when it was made. */
export type OwnerCandidate = EoaOwner | (PasskeyOwner & { readonly credentialId: string })
