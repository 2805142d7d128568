import { browserCeremony } from './browser-ceremony.ts'
import { browserStorage } from './browser-storage.ts'
import { type LanyardProviderProps as Props, LanyardProvider as Provider } from './lanyard-provider.tsx'

export type LanyardProviderProps = Omit<Props, 'ceremony' | 'storage' | 'appId'>

/**
 * Provides passkey accounts of a service to all components below. It uses the app's TanStack Query QueryClient, or creates its
 * own if there is none.
 */
export const LanyardProvider = (properties: LanyardProviderProps) => (
  <Provider ceremony={browserCeremony} storage={browserStorage} {...properties} />
)
