import { z } from 'zod'

/** WebAuthn L3 §5.8.4; `cable` is an older name that browsers still send. */
const known = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const

const transport = z.enum(known)
export type Transport = z.output<typeof transport>

/** Transports are only hints for the browser: unknown values are dropped. */
export function readTransports(value: unknown): Transport[] {
  if (!Array.isArray(value)) return []
  return [...new Set(value.flatMap((name) => transport.safeParse(name).data ?? []))]
}
