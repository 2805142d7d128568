import { testConfig } from '@lanyard/testing/config'
import { mergeConfig } from 'vite'
import viteConfig from './vite.config.ts'

export default mergeConfig(viteConfig, testConfig())
