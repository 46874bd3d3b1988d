<?php
/**
 * Plugin Name: Walkon
 * Description: Conversations with simulated colleagues. Use [walkon scenario="launch-decision" npc="maya"] in a page.
 * Version: 1.0.0
 * Requires PHP: 7.4
 * License: MIT
 *
 * Copy this file to wp-content/plugins, activate it, and put the address of your deployment into wp-config.php:
 *   define( 'WALKON_SERVICE', 'https://walkon.example' );
 */

if ( ! defined( 'ABSPATH' ) ) {
	exit;
}

/** Attributes that the shortcode passes on to <walkon-chat>, which docs/put-it-on-your-page.md describes. */
const WALKON_ATTRIBUTES = array( 'scenario', 'npc', 'name', 'label', 'mode', 'theme', 'position', 'lang', 'consent' );

add_shortcode(
	'walkon',
	function ( $given ) {
		if ( ! defined( 'WALKON_SERVICE' ) ) {
			$hint = 'Walkon: define WALKON_SERVICE in wp-config.php.';
			return current_user_can( 'manage_options' ) ? '<p>' . esc_html( $hint ) . '</p>' : '';
		}
		// WordPress prints a script only once, however many shortcodes a page has.
		wp_enqueue_script( 'walkon', WALKON_SERVICE . '/v1/embed.js', array(), null, array( 'strategy' => 'async' ) );
		$element = '<walkon-chat';
		foreach ( (array) $given as $name => $value ) {
			if ( in_array( $name, WALKON_ATTRIBUTES, true ) ) {
				$element .= ' ' . $name . '="' . esc_attr( $value ) . '"';
			}
		}
		return $element . '></walkon-chat>';
	}
);

// The page's chats are elements, so the script itself adds none.
add_filter(
	'script_loader_tag',
	function ( $tag, $handle ) {
		return 'walkon' === $handle ? str_replace( ' src=', ' data-launcher="manual" src=', $tag ) : $tag;
	},
	10,
	2
);
