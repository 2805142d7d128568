import type { Permission } from '@lanyard/session-keys'

/** A permission with the form field that it comes from. */
export interface PlacedPermission {
  readonly place: 'token' | 'native' | `call${number}` | 'fees'
  readonly permission: Permission
}
