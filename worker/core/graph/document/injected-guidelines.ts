import type { Guidelines } from '../guidelines.ts'
import type { ActionDocument, GraphDocument } from './document.ts'

/** What holds in an action state: what holds in the whole graph comes first, then what the state adds (B0-12). */
export function injectedGuidelines(document: GraphDocument, state: ActionDocument): Guidelines {
  return {
    navigation: [...document.globalNavigationGuidelines, ...state.navigationGuidelines],
    action: [...document.globalActionGuidelines, ...state.actionGuidelines],
    boundary: [...document.globalBoundaryConstraints, ...state.boundaryConstraints],
  }
}
