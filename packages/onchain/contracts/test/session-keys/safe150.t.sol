// SPDX-License-Identifier: MIT
// @promise 13
pragma solidity ^0.8.28;

import {PackedUserOperation} from "../../interfaces/ERC4337.sol";
import {Validation} from "../../session-keys/Validation.sol";
import {SessionKeysTest} from "./SessionKeysTest.sol";

/// @dev Accounts of Safe 1.5.0 ask isValidSignature(bytes32,bytes), those of 1.4.1 isValidSignature(bytes,bytes).
contract Safe150Test is SessionKeysTest {
    function setUp() public override {
        super.setUp();
        string memory path =
            "node_modules/@safe-global/safe-smart-account/build/artifacts/contracts/Safe.sol/Safe.json";
        singleton = _create(_code(path), "");
        account = _createSafe(vm.addr(OWNER_KEY));
        _install(account);
        _grant(_session());
    }

    function test_default() public {
        assertEq(_handled(_build(_draft(_transfer(RECIPIENT, 60e6)))), "", "no error");
        assertEq(token.balanceOf(RECIPIENT), 60e6, "transferred");
    }

    function test_p256() public {
        _grant(account, _p256Key(), _session());
        _handle(_build(_draftOf(account, P256_KEY, _transfer(RECIPIENT, 60e6))));
        assertEq(token.balanceOf(RECIPIENT), 60e6, "transferred");
    }

    function test_otherOperation() public {
        Draft memory draft = _draft(_transfer(RECIPIENT, 60e6));
        PackedUserOperation memory op = _build(draft);
        op.callData = _callDataOf(_draft(_transfer(RECIPIENT, 61e6)));
        _expectRefused(op);
    }

    function test_otherHash() public {
        Draft memory draft = _draft(_transfer(RECIPIENT, 60e6));
        bytes32 hash = keccak256(_dataOf(_unsigned(draft)));
        bytes memory signature = _sessionSignature(draft, hash);
        vm.prank(account);
        assertEq(uint32(sessionKeys.isValidSignature(hash, signature)), 0x1626ba7e, "magic value of ERC-1271");
        vm.prank(account);
        vm.expectRevert(abi.encodeWithSelector(Validation.OtherOperation.selector));
        sessionKeys.isValidSignature(keccak256("a message"), signature);
    }

    function test_thirdParty() public {
        Draft memory draft = _draft(_transfer(RECIPIENT, 60e6));
        draft.signingKey = THIRD_PARTY_KEY;
        _expectRefused(_build(draft));
    }
}
