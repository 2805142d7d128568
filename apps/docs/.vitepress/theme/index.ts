import type { Theme } from 'vitepress'
// Without its web font: the system's fonts load at once.
import DefaultTheme from 'vitepress/theme-without-fonts'
import MermaidDiagram from './mermaid-diagram.vue'
import './style.css'

export default {
  extends: DefaultTheme,
  enhanceApp: ({ app }) => void app.component('MermaidDiagram', MermaidDiagram),
} satisfies Theme
