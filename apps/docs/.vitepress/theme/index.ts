import type { Theme } from 'vitepress'
// The theme without its web font: system fonts need no download.
import DefaultTheme from 'vitepress/theme-without-fonts'
import MermaidDiagram from './mermaid-diagram.vue'
import './style.css'

export default {
  extends: DefaultTheme,
  enhanceApp: ({ app }) => void app.component('MermaidDiagram', MermaidDiagram),
} satisfies Theme
