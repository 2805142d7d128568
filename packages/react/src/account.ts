'use client'

/* A signed-in account: what it paid, who can sign for it. A page that only signs in and pays does not load this. */

export { Activity, type ActivityProps } from './components/activity.tsx'
export { Guardians, type GuardiansProps } from './components/guardians.tsx'
export { Receive, type ReceiveProps } from './components/receive.tsx'
export { type ActivityCurrency, type ActivityEntry, useActivity } from './use-activity.ts'
export { useGuardians, useOwners } from './use-owners.ts'
