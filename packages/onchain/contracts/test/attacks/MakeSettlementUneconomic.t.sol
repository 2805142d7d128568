// SPDX-License-Identifier: MIT
// @promise 13 23 A.1
pragma solidity ^0.8.28;

import {PackedUserOperation} from "../../interfaces/ERC4337.sol";
import {Outcome} from "../../interfaces/IOutcomeVerifier.sol";
import {MAX_SIGNATURE_LENGTH} from "../../smart-balance/Constants.sol";
import {Settlement, Settling} from "../../smart-balance/Settlement.sol";
import {PasskeyTest} from "../smart-balance/PasskeyTest.sol";

/// @notice Attack: pad the signature of an order, so that settling it costs more than it collects. A passkey's
/// signature can have any length: the authenticator writes clientDataJSON, and an owner can write one.
/// @dev Guard: MAX_SIGNATURE_LENGTH, on both sides.
contract MakeSettlementUneconomicTest is PasskeyTest {
    /// @dev Bytes of clientDataJSON's fields that result in a signature of 2,029 bytes; one more results in 2,061.
    uint256 private constant LONGEST_FIELDS = 1_664;

    function test_aLongSignatureIsAcceptedOnBothSides() public {
        Draft memory draft = _passkeyDraft();
        PackedUserOperation memory op = _signWithPasskey(draft, 0x05, false, _fields(LONGEST_FIELDS));
        assertWithin(op.signature.length, MAX_SIGNATURE_LENGTH - 31, MAX_SIGNATURE_LENGTH, "length");
        _handle(op);
        assertTrue(_outcome(draft.account, draft.nonce) == Outcome.Claimed, "claimed");
        _on(A);
        assertEq(_settle(_settling(draft, op)), 101e6, "settled");
    }

    function test_aLongerSignatureClaimsNothing() public {
        Draft memory draft = _passkeyDraft();
        PackedUserOperation memory op = _signWithPasskey(draft, 0x05, false, _fields(LONGEST_FIELDS + 1));
        assertEq(_validation(op), 1, "SIG_VALIDATION_FAILED");
        vm.expectRevert();
        _handle(op);
    }

    function test_aLongerSignatureSettlesNothing() public {
        Draft memory draft = _passkeyDraft();
        PackedUserOperation memory op = _signWithPasskey(draft, 0x05, false, _fields(LONGEST_FIELDS + 1));
        _on(A);
        vm.expectPartialRevert(Settlement.NotSignedByUser.selector);
        _settle(_settling(draft, op));
    }

    /// @dev The hash is computed for O, whatever the current network.
    function _settling(Draft memory draft, PackedUserOperation memory op) private returns (Settling memory) {
        uint64 here = network;
        _on(O);
        bytes32 orderHash = _orderHash(draft, op);
        _on(here);
        return Settling(O, _signed(op), Outcome.Claimed, _attest(orderHash, Outcome.Claimed));
    }

    function _fields(uint256 length) private pure returns (string memory) {
        bytes memory fields = bytes.concat(bytes(FIELDS), ',"padding":"', new bytes(length), '"');
        for (uint256 i = bytes(FIELDS).length + 12; i < length - 1; ++i) {
            fields[i] = "x";
        }
        fields[length - 1] = '"';
        assembly ("memory-safe") {
            mstore(fields, length)
        }
        return string(fields);
    }
}
