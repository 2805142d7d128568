import { trpc } from '../api/trpc.ts'

/**
 * Fails while offline, so that no passkey prompt opens for a signature that cannot be sent. An offline device
 * can still reach a service on localhost, so a request checks what the browser reports.
 *
 * @throws if the service cannot be reached
 */
export async function requireConnection(signal?: AbortSignal): Promise<void> {
  if (!navigator.onLine) await trpc.system.networks.query({}, signal ? { signal } : {})
}
