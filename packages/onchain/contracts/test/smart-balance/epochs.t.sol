// SPDX-License-Identifier: MIT
// @promise 13
pragma solidity ^0.8.28;

import {IEpochs, PINS, SESSIONS} from "../../interfaces/IEpochs.sol";
import {Settlement, Settling} from "../../smart-balance/Settlement.sol";
import {Signers} from "../../smart-balance/Signers.sol";
import {SmartBalanceTest} from "./SmartBalanceTest.sol";

/// @notice Pins end with the epoch of their account, with the delay of a removal.
contract PinEpochsTest is SmartBalanceTest {
    bytes32 private constant SIGNER = keccak256("signer");

    function test_raise() public {
        vm.expectEmit(address(epochs));
        emit IEpochs.EpochEnded(address(this), PINS, 0, uint48(block.timestamp));
        epochs.raise(PINS);
        assertEq(epochs.epochOf(address(this), PINS), 1, "the next");
        assertEq(epochs.endOf(address(this), PINS, 0), block.timestamp, "the end");
        assertEq(epochs.endOf(address(this), PINS, 1), 0, "lasts");
        assertEq(epochs.epochOf(address(this), SESSIONS), 0, "only this kind");
        assertEq(epochs.epochOf(account, PINS), 0, "only the caller's");
        assertEq(epochs.endOf(account, PINS, 0), 0, "only the caller's");
    }

    function test_signerUntil() public {
        smartBalance.addSigner(SIGNER);
        epochs.raise(SESSIONS);
        assertEq(smartBalance.signerUntil(address(this), SIGNER), type(uint48).max, "another kind");
        epochs.raise(PINS);
        uint256 end = block.timestamp + 1 days;
        assertEq(smartBalance.signerUntil(address(this), SIGNER), end, "a day after the end");
        // The next epoch ends a month later, and the pin is not of that one.
        vm.warp(block.timestamp + 30 days);
        epochs.raise(PINS);
        assertEq(smartBalance.signerUntil(address(this), SIGNER), end, "the end of its own epoch");
        smartBalance.addSigner(SIGNER);
        assertEq(smartBalance.signerUntil(address(this), SIGNER), type(uint48).max, "pinned anew");
    }

    function test_signerUntil_raisedTwiceInOneBlock() public {
        smartBalance.addSigner(SIGNER);
        epochs.raise(PINS);
        smartBalance.addSigner(keccak256("between"));
        epochs.raise(PINS);
        uint256 end = block.timestamp + 1 days;
        assertEq(smartBalance.signerUntil(address(this), SIGNER), end, "of the first");
        assertEq(smartBalance.signerUntil(address(this), keccak256("between")), end, "of the second");
        assertEq(epochs.epochOf(address(this), PINS), 2, "the third");
        assertEq(smartBalance.signerUntil(address(this), keccak256("never")), 0, "never pinned");
    }

    /// @dev The earlier of both ends counts.
    function test_signerUntil_removedBefore() public {
        smartBalance.addSigner(SIGNER);
        smartBalance.removeSigner(SIGNER);
        uint256 end = block.timestamp + 1 days;
        vm.warp(block.timestamp + 1 hours);
        epochs.raise(PINS);
        assertEq(smartBalance.signerUntil(address(this), SIGNER), end, "its removal");
    }

    /// @dev Removing what has ended must not prolong it.
    function test_error_SignerNotActive_ended() public {
        smartBalance.addSigner(SIGNER);
        epochs.raise(PINS);
        vm.warp(block.timestamp + 1 hours);
        vm.expectRevert(abi.encodeWithSelector(Signers.SignerNotActive.selector, SIGNER));
        smartBalance.removeSigner(SIGNER);
    }

    /// @dev Raised right after the claim: what the operator lent is still repaid.
    function test_settles_raisedAfterTheClaim() public {
        _on(A);
        _depositAndPin(300e6);
        _on(O);
        Draft memory draft = _draft();
        Settling memory item = _claimed(draft);
        _on(A);
        vm.prank(account);
        epochs.raise(PINS);
        assertEq(_settle(item), 101e6, "repaid");
    }

    /// @dev An order that is valid until the last second of the pin, and one of a second more.
    function test_settles_untilTheEndOfThePin() public {
        _on(A);
        _depositAndPin(300e6);
        vm.prank(account);
        epochs.raise(PINS);
        uint48 end = uint48(block.timestamp) + 1 days;
        for (uint48 late; late < 2; ++late) {
            vm.warp(end - 5 minutes);
            _on(O);
            Draft memory draft = _draft();
            draft.validUntil = end + late;
            Settling memory item = _claimed(draft);
            _on(A);
            if (late == 0) {
                assertEq(_settle(item), 101e6, "until its end");
                continue;
            }
            vm.expectRevert(abi.encodeWithSelector(Settlement.SignerNotPinned.selector, account, _ownerId()));
            this.settle(item);
        }
    }

    /// @dev A thief pins a key of its own, the account is recovered, and the thief borrows a month later elsewhere.
    function test_aThiefsPinEnds() public {
        _on(A);
        _depositAndPin(300e6);
        vm.prank(account);
        epochs.raise(PINS);
        vm.warp(block.timestamp + 30 days);
        _on(O);
        Settling memory item = _claimed(_draft());
        _on(A);
        vm.expectRevert(abi.encodeWithSelector(Settlement.SignerNotPinned.selector, account, _ownerId()));
        this.settle(item);
        assertEq(_balance(account), 300e6, "nothing is taken");
    }

    function settle(Settling calldata item) external {
        _settle(item);
    }
}
