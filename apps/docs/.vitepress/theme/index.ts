import '@lanyard/ui/palette.css'
import type { Theme } from 'vitepress'
// The theme without its web font: system fonts need no download.
import DefaultTheme from 'vitepress/theme-without-fonts'
import Home from './home.vue'
import './style.css'

export default {
  extends: DefaultTheme,
  enhanceApp({ app }) {
    app.component('DocsHome', Home)
  },
} satisfies Theme
