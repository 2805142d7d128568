// SPDX-License-Identifier: MIT
// @promise 13
pragma solidity ^0.8.28;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {PackedUserOperation} from "../../interfaces/ERC4337.sol";
import {Outcome} from "../../interfaces/IOutcomeVerifier.sol";
import {Claims} from "../../smart-balance/Claims.sol";
import {MIN_POST_OP_GAS} from "../../smart-balance/Constants.sol";
import {ExpensiveToken} from "../smart-balance/Tokens.sol";
import {SmartBalanceTest} from "../smart-balance/SmartBalanceTest.sol";

/// @dev Etched over the settlement token: refuses every transfer.
contract PausedToken is ERC20("", "") {
    error EnforcedPause();

    function _update(address, address, uint256) internal pure override {
        revert EnforcedPause();
    }
}

/// @dev As old compilers' assert: uses up all gas.
contract ExhaustingToken is ERC20("", "") {
    function _update(address, address, uint256) internal pure override {
        assembly ("memory-safe") {
            invalid()
        }
    }
}

/// @dev Blocks one address as sender or recipient, as USDC does.
contract BlockingToken is ERC20("", "") {
    error Blocked();

    address private immutable _BLOCKED;

    constructor(address blocked) {
        _BLOCKED = blocked;
    }

    function _update(address from, address to, uint256 value) internal override {
        if (from == _BLOCKED || to == _BLOCKED) revert Blocked();
        super._update(from, to, value);
    }
}

/// @notice Attack: a failure that is not the account's makes its failFee due, or one that is its own does not.
/// @dev Guard: postOp probes a transfer of the loan to SmartBalance itself.
contract FailWhileTheTokenIsPausedTest is SmartBalanceTest {
    function setUp() public override {
        super.setUp();
        paymasterGasLimits = _pack(1_000_000, uint128(MIN_POST_OP_GAS));
    }

    function test_pausedTokenOwesNothing() public {
        vm.etch(address(tokenOn[O]), address(new PausedToken()).code);
        _handle(_build(_draft()));
        assertTrue(_outcome(account, 0) == Outcome.Unfunded, "unfunded");
    }

    function test_blockedSmartBalanceOwesNothing() public {
        vm.etch(address(tokenOn[O]), address(new BlockingToken(address(smartBalance))).code);
        _handle(_build(_draft()));
        assertTrue(_outcome(account, 0) == Outcome.Unfunded, "unfunded");
    }

    function test_blockedAccountOwesItsFee() public {
        vm.etch(address(tokenOn[O]), address(new BlockingToken(account)).code);
        _handle(_build(_draft()));
        assertTrue(_outcome(account, 0) == Outcome.Failed, "failed");
    }

    /// @dev A probe without an answer must not make burning gas free.
    function test_probeOutOfGasOwesItsFee() public {
        vm.etch(address(tokenOn[O]), address(new ExhaustingToken()).code);
        _handle(_build(_draft()));
        assertTrue(_outcome(account, 0) == Outcome.Failed, "failed");
    }

    function test_expensiveTokenIsProbed() public {
        vm.etch(address(tokenOn[O]), address(new ExpensiveToken(20_000, 0)).code);
        _handle(_failing(""));
        assertTrue(_outcome(account, 0) == Outcome.Failed, "failed");
        vm.prank(ADMIN);
        smartBalance.setOutflowCap(1);
        PackedUserOperation memory op = _failing("");
        _handle(op);
        assertTrue(_outcome(account, op.nonce) == Outcome.Unfunded, "unfunded");
    }

    /// @dev EntryPoint keeps less back if an operation is large.
    function test_expensiveTokenAndLargeOperation() public {
        vm.etch(address(tokenOn[O]), address(new ExpensiveToken(20_000, 0)).code);
        _handle(_failing(new bytes(128 * 1024)));
        assertTrue(_outcome(account, 0) == Outcome.Failed, "failed");
    }

    function test_probeChangesNothing() public {
        uint256 held = tokenOn[O].balanceOf(address(smartBalance));
        vm.expectRevert(abi.encodeWithSelector(Claims.LoanPayable.selector));
        smartBalance.probe(100e6);
        vm.expectRevert(abi.encodeWithSelector(Claims.LoanUnfunded.selector));
        smartBalance.probe(uint128(CAP) + 1);
        assertEq(tokenOn[O].balanceOf(address(smartBalance)), held, "held");
        (, uint104 spent,) = smartBalance.outflow();
        assertEq(spent, 0, "spent");
    }

    function _failing(bytes memory data) private view returns (PackedUserOperation memory) {
        Draft memory draft = _draft();
        draft.callData = _call(address(0xDEAD), data);
        return _build(draft);
    }
}
