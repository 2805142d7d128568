'use client'

/* For apps whose users have EOAs. Pages of passkey accounts do not load it. */

export type { KeepAddressRequest } from './actions/keep-address.ts'
export { KeepAddressButton, type KeepAddressButtonProps } from './components/keep-address-button.tsx'
export { type KeepAddress, useKeepAddress } from './use-keep-address.ts'
