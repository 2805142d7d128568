// SPDX-License-Identifier: MIT
// @promise 13
pragma solidity ^0.8.28;

import {PackedUserOperation} from "../../interfaces/ERC4337.sol";
import {Outcome} from "../../interfaces/IOutcomeVerifier.sol";
import {EXIT_DELAY, SETTLEMENT_WINDOW} from "../../smart-balance/Constants.sol";
import {Settlement, Settling} from "../../smart-balance/Settlement.sol";
import {ISafe} from "./RealContracts.sol";
import {SmartBalanceTest} from "./SmartBalanceTest.sol";
import {HookToken, Listener} from "./Tokens.sol";

/// @dev Attacks across functions and networks; attacks on one function are in its own file with the same prefix.
contract AttacksTest is SmartBalanceTest {
    Listener private constant LISTENER = Listener(address(0x400C));
    bytes4 private constant FAILED_OP_WITH_REVERT = bytes4(keccak256("FailedOpWithRevert(uint256,string,bytes)"));

    function setUp() public override {
        super.setUp();
        _on(A);
        _depositAndPin(300e6);
        _on(O);
    }

    /// @dev Guards, each of which suffices: before the loan, it is compared with liquidity, which excludes deposits;
    /// afterwards, the balance is compared with the deposits.
    function test_attack1_depositsAreNeverLent() public {
        _deposit(address(0x5AFE), 500e6);
        vm.prank(ADMIN);
        smartBalance.setOutflowCap(10_000e6);
        Draft memory draft = _draft();
        draft.claimAmount = LIQUIDITY + 1;
        _expectOutcome(draft, Outcome.Unfunded);
        draft = _draft();
        draft.claimAmount = LIQUIDITY;
        _expectOutcome(draft, Outcome.Claimed);
        assertEq(tokenOn[O].balanceOf(address(smartBalance)), 500e6, "exactly the deposits are left");
    }

    /// @dev Guard: the identity of an order contains no signature bytes; high s is rejected, low s settles once.
    function test_attack2_malleatedSignature() public {
        Settling memory item = _claimed(_draft());
        _on(A);
        bytes memory original = item.signed.signature;
        item.signed.signature = _malleate(original);
        vm.expectPartialRevert(Settlement.NotSignedByUser.selector);
        _settle(item);
        item.signed.signature = original;
        _settle(item);
        vm.expectPartialRevert(Settlement.NothingToSettle.selector);
        _settle(item);
    }

    /// @dev Guard: settlement checks the user's signature, whoever else colludes.
    function test_attack3_operatorAttestorAndSettlerTogether() public {
        Draft memory draft = _draft();
        PackedUserOperation memory op = _build(draft);
        op.signature = _signAsOwner(op, OPERATOR_KEY);
        bytes32 orderHash = _orderHash(draft, op);
        Settling memory item = Settling(O, _signed(op), Outcome.Claimed, _attest(orderHash, Outcome.Claimed));
        _on(A);
        vm.expectPartialRevert(Settlement.NotSignedByUser.selector);
        _settle(item);
    }

    /// @dev Guard: neither Safe is asked, and a pin outlives the orders that rely on it.
    function testFuzz_attack4_ownerGoesOnBothNetworks(uint256 delay) public {
        Settling memory item = _claimed(_draft());
        _on(A);
        vm.startPrank(account);
        ISafe(account).swapOwner(address(1), vm.addr(OWNER_KEY), vm.addr(THIRD_PARTY_KEY));
        smartBalance.removeSigner(_ownerId());
        vm.stopPrank();
        vm.warp(block.timestamp + bound(delay, 0, 10 minutes + SETTLEMENT_WINDOW));
        assertEq(_settle(item), 101e6, "taken");
    }

    /// @dev Guards: order hash, SafeOp hash, attestation digest and exact lengths cover every bit.
    function testFuzz_attack5_settleMutated(uint8 field, uint256 seed) public {
        Settling memory item = _claimed(_draft());
        _on(A);
        field %= 12;
        if (field == 0) item.signed.operation.account = address(this);
        if (field == 1) item.signed.operation.nonce ^= 1 << (seed % 256);
        if (field == 2) item.signed.operation.initCodeHash ^= bytes32(1 << (seed % 256));
        if (field == 3) item.signed.operation.callDataHash ^= bytes32(1 << (seed % 256));
        if (field == 4) item.signed.operation.accountGasLimits ^= bytes32(1 << (seed % 256));
        if (field == 5) item.signed.operation.preVerificationGas ^= 1 << (seed % 256);
        if (field == 6) item.signed.operation.gasFees ^= bytes32(1 << (seed % 256));
        if (field == 7) _flip(item.signed.paymasterAndData, seed);
        if (field == 8) _flip(item.signed.signature, seed);
        if (field == 9) _flip(item.proof, seed);
        if (field == 10) item.outcome = Outcome.Failed;
        if (field == 11) item.chainId = B;
        vm.expectRevert();
        _settle(item);
    }

    /// @dev Guards: the operator's and the user's signatures cover every field.
    function testFuzz_attack5_claimMutated(uint8 field, uint256 seed) public {
        PackedUserOperation memory op = _build(_draft());
        field %= 8;
        if (field == 0) op.sender = address(this);
        if (field == 1) op.nonce ^= 1 << (64 + seed % 192);
        if (field == 2) _flip(op.callData, seed);
        if (field == 3) op.accountGasLimits ^= bytes32(1 << (seed % 256));
        if (field == 4) op.preVerificationGas ^= 1 << (seed % 256);
        if (field == 5) op.gasFees ^= bytes32(1 << (seed % 256));
        if (field == 6) _flip(op.paymasterAndData, seed);
        if (field == 7) _flip(op.signature, seed);
        vm.expectRevert();
        _handle(op);
    }

    /// @dev Guard: SafeOp and order contain the chain id.
    function test_attack5_sameOperationOnAnotherNetwork() public {
        PackedUserOperation memory op = _build(_draft());
        _on(B);
        vm.expectRevert();
        _handle(op);
    }

    /// @dev Guard: postOp records operations that did not claim; the revert returns the loan.
    function test_attack6_claimReverted() public {
        Draft memory draft = _draft();
        address[] memory targets = new address[](2);
        bytes[] memory calls = new bytes[](2);
        (targets[0], calls[0]) = (address(smartBalance), abi.encodeCall(smartBalance.claim, (draft.nonce)));
        // Paying more than the balance reverts the batch.
        (targets[1], calls[1]) =
            (address(tokenOn[O]), abi.encodeCall(tokenOn[O].transfer, (address(this), 100e6 + 1)));
        draft.callData = _batch(targets, calls);
        _expectOutcome(draft, Outcome.Failed);
        assertEq(tokenOn[O].balanceOf(account), 0, "nothing lent");
    }

    function test_attack6_neverCalled() public {
        Draft memory draft = _draft();
        draft.callData = _call(address(0xDEAD), "");
        _expectOutcome(draft, Outcome.Failed);
    }

    /// @dev Guard: one outcome per order. The account gets what it signed for, once.
    function test_attack6_claimedByAnotherOperationInTheBundle() public {
        Draft memory first = _draft();
        Draft memory second = _draft();
        second.nonce = 1 << 64;
        second.callData = _claimCall(second.nonce);
        first.callData = _claimCall(second.nonce);
        PackedUserOperation[] memory ops = new PackedUserOperation[](2);
        (ops[0], ops[1]) = (_build(first), _build(second));
        entryPoint.handleOps(ops, BUNDLER);
        assertEq(tokenOn[O].balanceOf(account), 100e6, "once");
        assertTrue(_outcome(account, first.nonce) == Outcome.Failed, "the first did not claim its own");
        assertTrue(_outcome(account, second.nonce) == Outcome.Claimed, "the second was claimed");
    }

    /// @dev Guard: liquidity is read at each claim.
    function test_attack6_bundleExceedsLiquidity() public {
        vm.prank(ADMIN);
        smartBalance.setOutflowCap(10_000e6);
        Draft memory first = _draft();
        Draft memory second = _draft();
        second.nonce = 1 << 64;
        second.callData = _claimCall(second.nonce);
        first.claimAmount = second.claimAmount = 700e6;
        PackedUserOperation[] memory ops = new PackedUserOperation[](2);
        (ops[0], ops[1]) = (_build(first), _build(second));
        entryPoint.handleOps(ops, BUNDLER);
        assertEq(tokenOn[O].balanceOf(account), 700e6, "the first only");
        assertTrue(_outcome(account, second.nonce) == Outcome.Unfunded, "the second owes nothing");
    }

    /// @dev Guard: the lock. The account is a contract of its own, as an EIP-7702 account can be.
    function test_attack6_claimWithinClaim() public {
        _armHook();
        Draft memory first = _draft();
        first.account = address(LISTENER);
        Draft memory second = _draft();
        second.account = address(LISTENER);
        second.nonce = 1 << 64;
        PackedUserOperation memory firstOp = _build(first);
        PackedUserOperation memory secondOp = _build(second);
        vm.startPrank(address(entryPoint));
        smartBalance.validatePaymasterUserOp(firstOp, 0, 0);
        smartBalance.validatePaymasterUserOp(secondOp, 0, 0);
        vm.stopPrank();
        LISTENER.arm(address(smartBalance), abi.encodeCall(smartBalance.claim, (second.nonce)));
        vm.prank(address(LISTENER));
        smartBalance.claim(first.nonce);
        assertTrue(LISTENER.called() && !LISTENER.succeeded(), "refused");
    }

    /// @dev Guard: validation checks the lock. Otherwise a bundler could make claims fail at the account's expense.
    function test_attack6_handleOpsInsideAHeldLock() public {
        Draft memory draft = _draft();
        PackedUserOperation[] memory ops = new PackedUserOperation[](1);
        ops[0] = _build(draft);
        tokenOn[O].mint(address(this), 1);
        tokenOn[O].approve(address(smartBalance), 1);
        _armHook();
        LISTENER.arm(address(entryPoint), abi.encodeCall(entryPoint.handleOps, (ops, BUNDLER)));
        smartBalance.depositFor(address(this), 1);
        assertTrue(LISTENER.called() && !LISTENER.succeeded(), "refused");
        assertTrue(bytes4(LISTENER.returned()) == FAILED_OP_WITH_REVERT, "in validation");
        assertTrue(_outcome(account, draft.nonce) == Outcome.None, "nothing is due");
        assertEq(entryPoint.getNonce(account, 0), 0, "the operation can still be included");
    }

    /// @dev Guard: EXIT_DELAY > MAX_VALIDITY + SETTLEMENT_WINDOW. The exit is requested right before the order, which
    /// is settled at any second of the window.
    function testFuzz_attack8_exitRightBeforeTheOrder(uint256 delay) public {
        _on(A);
        vm.prank(account);
        smartBalance.requestExit(300e6);
        Settling memory item = _claimed(_draft());
        _on(A);
        vm.warp(block.timestamp + bound(delay, 0, 10 minutes + SETTLEMENT_WINDOW));
        vm.prank(account);
        vm.expectRevert();
        smartBalance.finalizeExit(account);
        assertEq(_settle(item), 101e6, "taken");
    }

    /// @dev Both sides of the second in which an exit becomes ready.
    function testFuzz_attack8_exitLongBefore(uint256 before, uint256 delay) public {
        _on(A);
        vm.prank(account);
        smartBalance.requestExit(300e6);
        uint256 readyAt = block.timestamp + EXIT_DELAY;
        vm.warp(block.timestamp + bound(before, 2 days, EXIT_DELAY - 1));
        Settling memory item = _claimed(_draft());
        _on(A);
        vm.warp(block.timestamp + bound(delay, 0, 10 minutes + SETTLEMENT_WINDOW));
        vm.prank(account);
        if (block.timestamp < readyAt) {
            vm.expectRevert();
            smartBalance.finalizeExit(account);
            assertEq(_settle(item), 101e6, "taken");
        } else {
            smartBalance.finalizeExit(account);
            assertEq(tokenOn[A].balanceOf(account), 300e18, "a ready exit pays");
            vm.expectPartialRevert(Settlement.NothingToSettle.selector);
            _settle(item);
        }
    }

    function test_attack8_exitRightAfter() public {
        Settling memory item = _claimed(_draft());
        _on(A);
        vm.prank(account);
        smartBalance.requestExit(300e6);
        assertEq(_settle(item), 101e6, "taken");
        (, uint128 exiting,) = smartBalance.accounts(account);
        assertEq(exiting, 199e6, "what is left exits");
    }

    function _expectOutcome(Draft memory draft, Outcome expected) private {
        PackedUserOperation memory op = _build(draft);
        _handle(op);
        assertTrue(_outcome(draft.account, draft.nonce) == expected, "outcome");
    }

    function _armHook() private {
        vm.etch(address(tokenOn[O]), address(new HookToken()).code);
        vm.etch(address(LISTENER), address(new Listener()).code);
    }

    function _flip(bytes memory data, uint256 seed) private pure {
        data[(seed >> 8) % data.length] ^= bytes1(uint8(1 << (seed % 8)));
    }

    /// @dev (r, s, v) to (r, n − s, v'), which recovers to the same address.
    function _malleate(bytes memory signature) private pure returns (bytes memory malleated) {
        malleated = bytes.concat(signature);
        uint256 order = 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141;
        assembly ("memory-safe") {
            // 12 bytes of validity, r, then s.
            let s := add(malleated, add(32, 44))
            mstore(s, sub(order, mload(s)))
        }
        malleated[76] = malleated[76] == 0x1b ? bytes1(0x1c) : bytes1(0x1b);
    }
}
