import type { Theme } from 'vitepress'
// The theme without its web font: system fonts need no download.
import DefaultTheme from 'vitepress/theme-without-fonts'
import './style.css'

export default { extends: DefaultTheme } satisfies Theme
