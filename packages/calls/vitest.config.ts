import { testConfig } from '@lanyard/testing/config'

// `@lanyard/ui` has JSX, which only Vite can load.
export default testConfig({ experimental: { viteModuleRunner: true } })
